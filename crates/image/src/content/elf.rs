//! What kernel and loader read of an ELF file.

use contract::{Elf, Machine, VersionNeed};
use object::LittleEndian as LE;
use object::elf::{
    DT_NEEDED, DT_NULL, DT_RPATH, DT_RUNPATH, DT_STRSZ, DT_STRTAB, EM_386, EM_AARCH64, EM_ARM,
    EM_PPC64, EM_RISCV, EM_S390, EM_X86_64, ET_DYN, ET_EXEC, FileHeader64, VER_FLG_WEAK,
};
use object::read::StringTable;
use object::read::elf::{Dyn as _, FileHeader as _, ProgramHeader as _};

use super::program;

/// `e_ident` says 64 bits, little end first.
const IDENT_64_LE: [u8; 2] = [2, 1];
/// More libraries and versions than any real file has.
const MAX_NAMES: usize = 4096;

/// Reads the headers of an ELF file.
pub(super) fn read(bytes: &[u8]) -> Result<Elf, String> {
    let number =
        |at: usize| bytes.get(at..at + 2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
    let (Some(ident), Some(kind), Some(machine)) = (bytes.get(4..6), number(16), number(18)) else {
        return Err("an ELF file that is cut short".to_owned());
    };
    let machine = match (machine, ident == IDENT_64_LE) {
        (EM_X86_64, true) => Machine::X86_64,
        (EM_X86_64 | EM_386, _) => Machine::X86_32,
        (other, _) => Machine::Other(machine_name(other)),
    };
    let loadable = matches!(kind, ET_EXEC | ET_DYN);
    let mut elf = Elf { machine, loadable, ..Elf::default() };
    if elf.machine == Machine::X86_64 {
        tables(bytes, &mut elf).map_err(|error| format!("a broken ELF file: {error}"))?;
        elf.program = program::identify(bytes, &elf);
    }
    Ok(elf)
}

fn machine_name(machine: u16) -> String {
    match machine {
        EM_AARCH64 => "arm64".to_owned(),
        EM_ARM => "arm".to_owned(),
        EM_PPC64 => "ppc64".to_owned(),
        EM_S390 => "s390x".to_owned(),
        EM_RISCV => "riscv".to_owned(),
        other => format!("machine {other}"),
    }
}

/// The loader, the libraries and the symbol versions.
fn tables(bytes: &[u8], elf: &mut Elf) -> object::read::Result<()> {
    let header = FileHeader64::<LE>::parse(bytes)?;
    let endian = header.endian()?;
    let segments = header.program_headers(endian, bytes)?;
    let mut dynamic = None;
    for segment in segments {
        if let Some(loader) = segment.interpreter(endian, bytes)? {
            elf.loader = Some(lossy(loader));
        }
        if let Some(entries) = segment.dynamic(endian, bytes)? {
            dynamic = Some(entries);
        }
    }
    let Some(dynamic) = dynamic else { return Ok(()) };
    let value = |tag| {
        dynamic
            .iter()
            .find(|entry| entry.tag32(endian) == Some(tag))
            .map(|entry| entry.d_val(endian))
    };
    let (Some(address), Some(size)) = (value(DT_STRTAB), value(DT_STRSZ)) else { return Ok(()) };
    let mut found = segments.iter().map(|segment| segment.data_range(endian, bytes, address, size));
    let names = found.find_map(|range| range.ok().flatten()).unwrap_or_default();
    let strings = StringTable::new(names, 0, names.len() as u64);
    for entry in dynamic.iter().take_while(|entry| entry.tag32(endian) != Some(DT_NULL)) {
        let text = || entry.string(endian, strings).map(lossy);
        match entry.tag32(endian) {
            Some(DT_NEEDED) if elf.needed.len() < MAX_NAMES => elf.needed.push(text()?),
            Some(DT_RPATH) => elf.rpath = Some(text()?),
            Some(DT_RUNPATH) => elf.runpath = Some(text()?),
            _ => {}
        }
    }
    // Versions are read through the section table; a file without one is taken to need none.
    let Ok(sections) = header.sections(endian, bytes) else { return Ok(()) };
    if let Some((mut needs, link)) = sections.gnu_verneed(endian, bytes)? {
        let strings = sections.strings(endian, bytes, link)?;
        while let Some((need, mut versions)) = needs.next()? {
            let library = lossy(need.file(endian, strings)?);
            while let Some(version) = versions.next()? {
                let weak = version.vna_flags.get(endian) & VER_FLG_WEAK != 0;
                if !weak && elf.version_needs.len() < MAX_NAMES {
                    let version = lossy(version.name(endian, strings)?);
                    elf.version_needs.push(VersionNeed { library: library.clone(), version });
                }
            }
        }
    }
    if let Some((mut defs, link)) = sections.gnu_verdef(endian, bytes)? {
        let strings = sections.strings(endian, bytes, link)?;
        while let Some((_, mut names)) = defs.next()? {
            if let Some(name) = names.next()?
                && elf.version_defs.len() < MAX_NAMES
            {
                elf.version_defs.insert(lossy(name.name(endian, strings)?));
            }
        }
    }
    Ok(())
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
