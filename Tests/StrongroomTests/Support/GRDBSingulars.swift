/// Keys of associations, with the singular that GRDB makes of each.
enum GRDBSingulars {
    static let pairs = text.split(whereSeparator: \.isWhitespace).map { pair in
        pair.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    }

    private static let text = """
        Access:Access Arches:Arch Bureaux:Bureaux CACTUS:CACTU CHILLI:CHILLI COWS:COW Crass:Crass
        Dittoes:Ditto HEMOPHILIA:HEMOPHILIum INGRESSES:INGRESS Ideas:Idea Lenses:Lens MEDIA:MEDIum
        MIX:MIX NIGHTLIFE:NIGHTLIFE Outfoxes:Outfox PORTICOES:PORTICO PORTMANTEAUX:PORTMANTEAUX
        PRIMITIVES:PRIMITIVE Penknife:Penknife Police:Police RUCKUS:RUCKU Rouse:Rouse
        SOMEBODIES:SOMEBODy STATUSES:STATUS Swami:Swami Synopsis:Synopsis TRANSFIXES:TRANSFIX
        WIVES:WIfe Xxiii:Xxiii Yachtsmen:Yachtsman a:a abscissae:abscissae access:access
        acrimonious:acrimoniou address:address address3:address3 addresses:address adieux:adieux
        agenda:agenda alias:alias alias1:alias1 aliases:alias aloha:aloha alumni:alumni
        alumnus:alumnu analyses10:analysis10 analyzes:analyze annex:annex apologia:apologium
        appendix:appendix apropos:apropo arches:arch area:area areas:area armadillos:armadillo
        aurae:aurae avarice:avarice aviatrixes:aviatrix axes:axis axis:axis backhoes:backho
        bacteria:bacterium banjos:banjo bases:basis basis:basis bathhouse:bathhouse beaux:beaux
        benefice:benefice birdies:birdy bleaches:bleach bovines:bovine box:box boxes:box boys:boy
        brakemen:brakeman brakemen2:brakeman2 bronchitis:bronchiti bureaus:bureau bureaux:bureaux
        bureaux3:bureaux3 buries:bury bus:bus buses:bus business:business businesses1:business1
        butches:butch butteries:buttery cacti:cacti cactus:cactu cadenza:cadenza calves:calf
        camera:camera cannibalizes:cannibalize cargoes:cargo carsickness:carsickness
        catalysis:catalysi categories:category ceaseless:ceaseless centralizes:centralize
        cervix:cervix chafe:chafe chairwomen:chairwoman chalice:chalice chamoix:chamoix
        chamoix1:chamoix1 chases:chase chickenpox:chickenpox chilli:chilli chrysalis:chrysali
        churches:church churchmen:churchman churchmen1:churchman1 cicadae:cicadae cities:city
        class:class classes:class clix:clix clix2:clix2 clvii:clvii coccyx:coccyx cockades:cockade
        companies:company complex:complex composes:compose conserves:conserf convex:convex
        cookeries:cookery cookeries2:cookery2 cookies:cooky corpus:corpu costumes:costume
        countless:countless countries:country courthouse1:courthouse1 crass:crass crazes:craze
        crises:crisis crystallizes:crystallize cyclamen:cyclaman dashes:dash database:database
        databases:database delves:delf delves2:delf2 depraves:deprafe desiderata:desideratum
        detoxes:detox dhotis:dhoti dishes:dish dissolves10:dissolf10 duchess2:duchess2
        duplex:duplex earaches:earach echoes:echo ellipse:ellipse emphasis:emphasi
        encyclopedia3:encyclopedium3 endives:endife epidermis:epidermi era:era errata:erratum
        eucalyptus:eucalyptu executives:executive exes:ex felicities3:felicity3 flex:flex
        flourishes:flourish focus:focus formula1:formula1 formulae:formulae fox:fox foxes:fox
        fungi:fungi fungus:fungu gas:gas gauchos:gaucho gazebos:gazebo geese:geese
        generalizes10:generalize10 genus:genu geocaches:geocach geocaches3:geocach3
        goddesses:goddess goose:goose gushes:gush hacienda:hacienda haemophilia:haemophilium
        haloes1:halo1 hemophilia:hemophilium herpes:herpe hiatuses:hiatuse hoaxes:hoax
        homeAddresses:homeAddress homeBashes:homeBash homeBox:homeBox homeBureaux:homeBureaux
        homeBuses:homeBus homeCookies:homeCooky homeCrazes:homeCraze homeEucalyptus:homeEucalyptu
        homeHacienda:homeHacienda homeHaemophilia:homeHaemophilium homeIngresses:homeIngress
        homeLaundrymen:homeLaundryman homeLeaves:homeLeaf homeLice:homeLouse homeMania:homeManium
        homeNerves:homeNerf homeNightlife:homeNightlife homeNimbus:homeNimbus
        homeNostalgia:homeNostalgium homeOxen:homeOx homeParaplegia:homeParaplegium
        homePharynx:homePharynx homePis:homePi homePurgatories:homePurgatory homeRadios:homeRadio
        homeRice:homeRice homeStatus:homeStatus homeTriumvirates:homeTriumvirate
        homeVetoes:homeVeto homeWineries:homeWinery homeXxxix:homeXxxix
        homesickness10:homesickness10 house:house hypnosis:hypnosi hypothesis:hypothesis
        icebox:icebox idea:idea ideas:idea indices:index indices10:index10 ingresses:ingress
        joshes:josh journeymen:journeyman journeys:journey kazoos:kazoo kazoos10:kazoo10
        keypunches:keypunch kiss:kiss kisses:kiss knife:knife knives:knife larva10:larva10
        larvae:larvae lassoes:lasso latex:latex laundrymen:laundryman legalese:legalese lens:lens
        lenses:lens lice:louse life:life lives:life lix:lix loaves:loafe malicious:maliciou
        manganese:manganese manifestos:manifesto marksmen:marksman materializes:materialize
        matrices:matrix matrix:matrix megahertzes:megahertze megahertzes10:megahertze10
        merchandises:merchandise metadata:metadatum metastasis:metastasi mice:mouse
        mishmashes:mishmash mix:mix mongeese:mongeese monkeys:monkey monstrances:monstrance
        mouse:mouse moves:move movies:movie movies3:movie3 multiplexes:multiplex narcosis:narcosi
        nebulae:nebulae necessities:necessity neophilia:neophilium neophilia10:neophilium10
        nerves:nerf neurosis1:neurosi1 news:news nice:nice nightlife:nightlife
        nostalgia:nostalgium obese:obese ocarina:ocarina octopus:octopus
        old_chrysalis:old_chrysali old_errata:old_erratum old_herpes:old_herpe
        old_manifestos:old_manifesto old_merchandises:old_merchandise old_nimbus:old_nimbus
        old_nostalgia:old_nostalgium old_plateaux:old_plateaux old_radius:old_radiu
        old_videotex:old_videotex old_waves:old_wafe osmosis:osmosi osmosis1:osmosi1
        osteoporosis:osteoporosi outfoxes:outfox ox:ox oxen:ox panda:panda paralyzes:paralyze
        parenthesis:parenthesis passes:pass patches:patch patinae:patinae penknife:penknife
        penthouse:penthouse people:person periphrasis:periphrasi pharynx:pharynx pharynx2:pharynx2
        phenomena:phenomena photos:photo pianos:piano pilothouse:pilothouse pintos:pinto
        pitchmen:pitchman placentae:placentae plateaux:plateaux platypus:platypu
        pocketknife:pocketknife portmanteaux:portmanteaux portmanteaux10:portmanteaux10
        potatoes:potato potatoes3:potato3 poxes:pox pressurizes:pressurize primitives:primitive
        processes:process prolix:prolix promiscuous:promiscuou purgatories:purgatory quizzes:quiz
        radii:radii radios:radio radius:radiu redoes:redo refiles:refile reflexes:reflex reis:rei
        repairmen:repairman restores:restore rhombi:rhombi rice:rice rife:rife roaches:roach
        roaches3:roach3 roundhouse:roundhouse ruckus:rucku ruminates:ruminate s: s1:1 safe:safe
        saki:saki salmonellae:salmonellae scarves:scarf schema:schema schemas:schema
        schemas1:schema1 schoolhouse:schoolhouse selves:self series:series sex:sex sexes:sex
        shakiness:shakiness sharia:sharium shelves:shelf shoes:shoe simplex:simplex
        snitches:snitch solemnizes:solemnize solemnizes2:solemnize2 somebodies:somebody
        sordidness:sordidness souse:souse soya:soya spacemen:spaceman species:species
        spouse:spouse springiness:springiness spumoni:spumoni stagecoaches:stagecoach
        statehouses:statehouse status:status statuses:status stigma:stigma stimulus:stimulu
        strife:strife summerhouse:summerhouse summerhouse2:summerhouse2 surveys:survey swami:swami
        synopsis:synopsis tarantulae:tarantulae tax:tax tax3:tax3 taxes:tax thermos:thermo
        thermos1:thermo1 these:these theses:thesis thieves:thiefe tornadoes:tornado
        tornadoes3:tornado3 transphobia:transphobium treasuries:treasury triumvirates:triumvirate
        trousseaux:trousseaux unsafe:unsafe vainglorious:vaingloriou vertex:vertex vertices:vertex
        vetoes:veto videos:video videotex:videotex virus:virus viruses:viruse viscus:viscu
        visualizes:visualize voice:voice voice3:voice3 vortex:vortex waves:wafe wildlife:wildlife
        wineries:winery wives:wife wolves:wolf workmen:workman x2:x2 xcix:xcix xix:xix xxiii:xxiii
        xxix:xxix xxxix:xxxix yogi:yogi zombis:zombi zoo:zoo zoos:zoo été:été étés:été 名前:名前
        """
}
